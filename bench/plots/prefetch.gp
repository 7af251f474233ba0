# Time of a pass over the duration of a load, with room for 75 %. Variables: data, the file of numbers; picture, the SVG to write.
set terminal svg size 720,380 dynamic font "sans-serif,13" background "white"
set output picture
set xlabel "a load lasts as long as ... executions"
set ylabel "time of a pass, the least possible = 1"
set yrange [0:*]
set grid ytics lc rgb "#dddddd"
set border 3
set tics nomirror
set key above horizontal
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 border -1
set arrow from graph 0, first 1 to graph 1, first 1 nohead dt 2 lc rgb "#444444" front
# The rows with room for 75 %.
plot data every ::3::5 using ($3/$8):xtic(2) lc rgb "#8c8c8c" title "off", \
     "" every ::3::5 using ($4/$8) lc rgb "#dd8452" title "spare room", \
     "" every ::3::5 using ($5/$8) lc rgb "#9ebcda" title "ahead, 1 deep", \
     "" every ::3::5 using ($6/$8) lc rgb "#6497c9" title "ahead, 4 deep", \
     "" every ::3::5 using ($7/$8) lc rgb "#2f6db5" title "ahead, 8 deep"
