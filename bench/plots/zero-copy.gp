# What copying inputs and outputs costs, over their size. Variables: data, the file of numbers; picture, the SVG to write; machine, where
# they were measured.
set terminal svg size 900,380 dynamic font "sans-serif,13" background "white"
set output picture
set multiplot layout 1,2 title "median and its 95 % interval; ".machine font ",11"
set key left top
set xlabel "bytes of the input, and of the output"
set logscale x 2
set xrange [4096:67108864]
set xtics ("4 KiB" 4096, "64 KiB" 65536, "1 MiB" 1048576, "16 MiB" 16777216)
set grid ytics lc rgb "#dddddd"
set border 3
set tics nomirror
set logscale y 10
set ylabel "microseconds an execution"
plot data using 1:($2/1000):($3/1000):($4/1000) with yerrorlines lw 2 pt 7 ps 0.4 lc rgb "#d1603d" title "raw", \
     data using 1:($5/1000):($6/1000):($7/1000) with yerrorlines lw 2 pt 7 ps 0.4 lc rgb "#1f5fa8" title "registered", \
     data using 1:($8/1000) with lines lw 2 dt 2 lc rgb "#777777" title "memcpy of both tensors"
unset logscale y
set yrange [1:*]
set ylabel "raw / registered, ratio"
plot data using 1:11:12:13 with yerrorlines lw 2 pt 7 ps 0.4 lc rgb "#d1603d" title "measured", \
     data using 1:(($5+$8)/$5) with lines lw 2 dt 2 lc rgb "#777777" title "predicted by memcpy"
unset multiplot
