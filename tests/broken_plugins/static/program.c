/* BP-6: a program with the file name of a library. */
int main(void) { return 0; }
