# Loads of a pass of 66 contexts over the room for them. Variables: data, the file of numbers; picture, the SVG to write.
set terminal svg size 720,380 dynamic font "sans-serif,13" background "white"
set output picture
set xlabel "room on the device, % of all contexts"
set ylabel "loads a pass"
set title "66 contexts in turn; counts, the same in every run" font ",11"
set xrange [0:100]
set yrange [0:70]
set key left bottom
set grid ytics lc rgb "#dddddd"
plot data using 1:3 with linespoints pt 7 ps 0.5 lw 2 lc rgb "#c44e52" title "least recently used", \
     data using 1:4 with lines lw 6 lc rgb "#c9d8ee" title "fewest possible", \
     data using 1:2 with linespoints pt 7 ps 0.5 lw 2 lc rgb "#2f6db5" title "farthest next use"
