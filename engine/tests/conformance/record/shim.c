/* What the suite's runner needs of glibc 2.38 and libstdc++ 13, for systems with older ones; see weaken.py. */
#include <stdlib.h>

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

/* Newer libraries make std::cout and its like ready themselves; here one std::ios_base::Init does it. */
void _ZSt21ios_base_library_initv(void) {}
extern void _ZNSt8ios_base4InitC1Ev(void *) __attribute__((weak));
__attribute__((constructor)) static void streams(void) {
    static char init[16];
    if (_ZNSt8ios_base4InitC1Ev)
        _ZNSt8ios_base4InitC1Ev(init);
}
