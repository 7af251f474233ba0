// The program of program.md.
int main() { return 0; }
