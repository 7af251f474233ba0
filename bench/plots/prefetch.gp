# Time of a pass over the duration of a load, with room for 75 %. Variables: data, the file of numbers;
# picture, the SVG to write; machine, where they were measured.
set terminal svg size 720,380 dynamic font "sans-serif,13" background "white"
set output picture
set xlabel "a load lasts as long as ... executions"
set ylabel "time of a pass, ratio to the least possible"
set title "the fastest of three runs, and the slowest; ".machine font ",11"
set yrange [0:*]
set grid ytics lc rgb "#dddddd"
set border 3
set tics nomirror
set key above horizontal
set style data histograms
set style histogram errorbars gap 1 lw 1
set style fill solid 0.9 border -1
set arrow from graph 0, first 1 to graph 1, first 1 nohead dt 2 lc rgb "#444444" front
# The rows with room for 75 %.
plot data every ::3::5 using ($3/$13):($3/$13):($4/$13):xtic(2) lc rgb "#8c8c8c" title "off", \
     "" every ::3::5 using ($5/$13):($5/$13):($6/$13) lc rgb "#dd8452" title "spare room", \
     "" every ::3::5 using ($7/$13):($7/$13):($8/$13) lc rgb "#9ebcda" title "ahead, 1 deep", \
     "" every ::3::5 using ($9/$13):($9/$13):($10/$13) lc rgb "#6497c9" title "ahead, 4 deep", \
     "" every ::3::5 using ($11/$13):($11/$13):($12/$13) lc rgb "#2f6db5" title "ahead, 8 deep"
