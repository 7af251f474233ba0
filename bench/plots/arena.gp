# Ratio of a plan's size to the bytes in use at a time, by part of the pipelines. Variables: data, the file of numbers; picture, the SVG to write.
set terminal svg size 720,380 dynamic font "sans-serif,13" background "white"
set output picture
set xlabel "pipelines of 16 to 128 tensors, the best first"
set ylabel "size / bytes in use at a time, ratio"
set title "a count, the same in every run" font ",11"
set yrange [0.98:*]
set xrange [0.7:4.8]
set xtics ("80 %%" 0.699, "90 %%" 1, "99 %%" 2, "99.9 %%" 3, "99.99 %%" 4, "all" 4.75)
set grid lc rgb "#dddddd"
set border 3
set tics nomirror
set key left top
nines(part) = part < 1 ? -log10(1 - part) : 4.75
plot data using (nines($1)):3 with linespoints lw 2 pt 7 ps 0.5 lc rgb "#dd8452" title "largest first", \
     data using (nines($1)):2 with linespoints lw 2 pt 7 ps 0.5 lc rgb "#2f6db5" title "TensorArena", \
     1.05 with lines dt 2 lc rgb "#444444" title "1.05"
