# DMA memory over the number of contexts. Variables: data, the file of numbers; picture, the SVG to write.
# The contexts were loaded 16 times smaller; the axes show the sizes of the model.
set terminal svg size 900,380 dynamic font "sans-serif,13" background "white"
set output picture
set multiplot layout 1,2 title "contexts of the published image model, over and over; counts, the same in every run" font ",11"
set key left top
set xlabel "contexts"
set xrange [0:128]
set yrange [0:*]
set xtics 32
set grid ytics lc rgb "#dddddd"
set border 3
set tics nomirror
gib = 16.0 / 2**30
set ylabel "weights and spill-fill, GiB"
plot data using 1:($2*gib) with linespoints lw 2 pt 7 ps 0.4 lc rgb "#d1603d" title "separate", \
     data using 1:($3*gib) with lines lw 5 lc rgb "#b8c9dd" title "context group", \
     data using 1:($4*gib) with linespoints lw 2 pt 7 ps 0.4 lc rgb "#1f5fa8" title "one external buffer"
set ylabel "spill-fill alone, GiB"
plot data using 1:(($2-$6)*gib) with linespoints lw 2 pt 7 ps 0.4 lc rgb "#d1603d" title "separate", \
     data using 1:(($3-$6)*gib) with lines lw 5 lc rgb "#b8c9dd" title "context group", \
     data using 1:(($4-$6)*gib) with linespoints lw 2 pt 7 ps 0.4 lc rgb "#1f5fa8" title "one external buffer"
unset multiplot
