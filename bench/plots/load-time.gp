# CPU time to load over the number of contexts. Variables: data, the file of numbers; picture, the SVG to write; machine, where
# they were measured.
set terminal svg size 600,360 dynamic font "sans-serif,13" background "white"
set output picture
set key left top
set xlabel "contexts, 1 MiB of weights each"
set ylabel "CPU time to load, retrieve graphs and free, ms"
set title "median and its 95 % interval; ".machine font ",11"
set xrange [0:*]
set yrange [0:*]
set grid ytics lc rgb "#dddddd"
set border 3
set tics nomirror
plot data using 1:5 with lines lw 5 lc rgb "#b8c9dd" title "C", \
     data using 1:5:6:7 with yerrorbars lw 2 pt 7 ps 0.6 lc rgb "#b8c9dd" notitle, \
     data using 1:2 with lines lw 2 lc rgb "#1f5fa8" title "qnnpp", \
     data using 1:2:3:4 with yerrorbars lw 2 pt 7 ps 0.4 lc rgb "#1f5fa8" notitle
