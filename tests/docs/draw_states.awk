# awk -f draw_states.awk docs/states.txt > docs/states.svg
#
# Draws the table of states and steps. The table explains its columns.

/^#/ || /^$/ { next }

$1 == "state" {
  at[$2] = ++states
  name[states] = $2; kind[states] = $3; x[states] = $4; y[states] = $5; width[states] = $6; height[states] = $7
  words[states] = rest(8)
  next
}

$1 == "step" && (NF == 4 || NF == 8) {
  ++steps
  from[steps] = $2; step[steps] = $3; to[steps] = $4
  leaves[steps] = $5; lanes[steps] = $6; enters[steps] = $7; label[steps] = $8
  next
}

$1 == "note" { note[++notes] = rest(2); next }

{ fault("line " NR " is no state, step or note: " $0) }

END {
  if (failed) exit 1
  page_width = 520
  page_height = 714 + 20 * notes + 16

  begin_page()
  for (i = 1; i <= states; ++i) draw_state(i)
  for (i = 1; i <= steps; ++i) draw_step(i)
  for (i = 1; i <= notes; ++i) {
    text("note", 20, 714 + 20 * i, "start", note[i])
    noted = noted " " note[i]
  }
  out("</svg>")
  for (i = 1; i <= steps; ++i)
    if (leaves[i] == "" && index(noted, " " step[i] "()") == 0) fault("no arrow and no note: " step_of(i))
  if (failed) exit 1
  printf "%s", page
}

function begin_page() {
  out("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" page_width "\" height=\"" page_height "\" viewBox=\"0 0 " \
      page_width " " page_height "\" role=\"img\">")
  out("<title>States of contexts and graphs</title>")
  out("<style>")
  out("svg { font-family: system-ui, sans-serif; font-size: 15px }")
  colours("#ffffff", "#0f172a", "#334155", "#475569", "#f1f5f9", "#64748b", \
          "#eff6ff", "#2563eb", "#1d4ed8", "#ecfdf5", "#059669", "#065f46")
  out(".title { font-size: 18px; font-weight: 600 }")
  out(".state { font-size: 17px }")
  out(".detail, .note { font-size: 14px }")
  out(".contexts, .graphs { font-weight: 600 }")
  out("rect { stroke-width: 1.5 }")
  out(".page { stroke: none }")
  out(".step { stroke-width: 1.5; fill: none; marker-end: url(#arrow) }")
  out("@media (prefers-color-scheme: dark) {")
  colours("#0d1117", "#e6edf3", "#cbd5e1", "#94a3b8", "#1e293b", "#94a3b8", \
          "#172554", "#60a5fa", "#93c5fd", "#022c22", "#34d399", "#6ee7b7")
  out("}")
  out("</style>")
  out("<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\"" \
      " orient=\"auto\"><path class=\"head\" d=\"M0 0 10 5 0 10z\"/></marker></defs>")
  out("<rect class=\"page\" width=\"" page_width "\" height=\"" page_height "\" rx=\"12\"/>")
  text("title", 20, 34, "start", "States of contexts and graphs")
  text("", 20, 58, "start", "A transition without an arrow does not compile.")
  box("context", 20, 74, 22, 16, 4)
  text("contexts", 50, 87, "start", "Context<State>")
  box("graph", 220, 74, 22, 16, 4)
  text("graphs", 250, 87, "start", "Graph<State>")
}

function colours(paper, ink, label_ink, line, other, other_edge, context, context_edge, \
                 context_ink, graph, graph_edge, graph_ink) {
  out(".page { fill: " paper " }")
  out("text { fill: " ink " }")
  out(".label, .note { fill: " label_ink " }")
  out(".step { stroke: " line " }")
  out(".head { fill: " line " }")
  out(".other { fill: " other "; stroke: " other_edge " }")
  out(".context { fill: " context "; stroke: " context_edge " }")
  out(".contexts { fill: " context_ink " }")
  out(".graph { fill: " graph "; stroke: " graph_edge " }")
  out(".graphs, .detail { fill: " graph_ink " }")
}

function draw_state(i,    lines, middle) {
  box(kind[i], x[i], y[i], width[i], height[i], kind[i] == "other" ? 2 : 8)
  middle = y[i] + height[i] / 2
  if (split(words[i], lines, / *\| */) == 1) {
    text("state", x[i] + width[i] / 2, middle + 6, "middle", words[i])
  } else {
    text("state", x[i] + width[i] / 2, middle - 3, "middle", lines[1])
    text("detail", x[i] + width[i] / 2, middle + 16, "middle", lines[2])
  }
}

function draw_step(i,    lane, count, j, vertical, points, place) {
  if (!(from[i] in at)) return fault("no state of this name: " from[i])
  if (leaves[i] == "") return
  if (!(to[i] in at)) return fault("no state of this name: " to[i])

  # Computes the corners. The path turns at each corner; it begins at the edge of one box and ends 2 units before the edge of
  # the other.
  set_point(0, at[from[i]], leaves[i], 0)
  vertical = leaves[i] ~ /^(top|bottom)/
  count = lanes[i] == "-" ? 0 : split(lanes[i], lane, ",")
  for (j = 1; j <= count; ++j) {
    px[j] = vertical ? px[j - 1] : lane[j]
    py[j] = vertical ? lane[j] : py[j - 1]
    vertical = !vertical
  }
  set_point(count + 2, at[to[i]], enters[i], 2)
  px[count + 1] = vertical ? px[count] : px[count + 2]
  py[count + 1] = vertical ? py[count + 2] : py[count]
  points = count + 2
  if (px[points] == px[points - 1] && py[points] == py[points - 1]) --points
  else if (vertical != (enters[i] !~ /^(top|bottom)/)) fault("it arrives along a side, not across it: " step_of(i))

  out("<path class=\"step\" data-step=\"" step_of(i) "\" d=\"" path(points) "\"/>")
  split(label[i], place, ",")
  text("label", place[1], place[2], place[3], step[i])
}

# Computes point number j, `gap` units before a side of a state.
function set_point(j, i, side, gap,    beside) {
  beside = side
  sub(/^[a-z]+/, "", beside)
  px[j] = x[i] + width[i] / 2 + beside
  py[j] = y[i] + height[i] / 2 + beside
  if (side ~ /^top/) py[j] = y[i] - gap
  else if (side ~ /^bottom/) py[j] = y[i] + height[i] + gap
  else if (side ~ /^left/) px[j] = x[i] - gap
  else if (side ~ /^right/) px[j] = x[i] + width[i] + gap
  else fault("no side of a state: " side)
}

# Returns the path from point 0 to the last one, with round corners.
function path(last,    radius, d, j) {
  radius = 12
  d = "M" px[0] " " py[0]
  for (j = 1; j < last; ++j)
    d = d line_to(j, px[j] - radius * sign(px[j] - px[j - 1]), py[j] - radius * sign(py[j] - py[j - 1])) \
        "Q" px[j] " " py[j] " " px[j] + radius * sign(px[j + 1] - px[j]) " " py[j] + radius * sign(py[j + 1] - py[j])
  return d line_to(last, px[last], py[last])
}
function line_to(j, to_x, to_y) { return px[j] == px[j - 1] ? "V" to_y : "H" to_x }
function sign(value) { return value > 0 ? 1 : value < 0 ? -1 : 0 }

function box(class, left, top, wide, high, radius) {
  out("<rect class=\"" class "\" x=\"" left "\" y=\"" top "\" width=\"" wide "\" height=\"" high "\" rx=\"" radius "\"/>")
}

function text(class, left, base, anchor, content) {
  gsub(/&/, "\\&amp;", content)
  gsub(/</, "\\&lt;", content)
  gsub(/>/, "\\&gt;", content)
  out("<text" (class == "" ? "" : " class=\"" class "\"") " x=\"" left "\" y=\"" base "\"" \
      (anchor == "start" ? "" : " text-anchor=\"" anchor "\"") ">" content "</text>")
}

function rest(first,    i, line) {
  for (i = first; i <= NF; ++i) line = line (i == first ? "" : " ") $i
  return line
}
function step_of(i) { return from[i] " " step[i] " " to[i] }
function out(line) { page = page line "\n" }
function fault(what) { print "states: " what > "/dev/stderr"; failed = 1 }
