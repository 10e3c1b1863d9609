/* BP-6: a program by the name of a library. */
int main(void) { return 0; }
