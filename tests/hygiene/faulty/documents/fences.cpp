// The program of fences.md.
namespace indented {
    int same = 1;
    int first = 2;
    int changed = 4;
}
