/* A program of known shape: main calls step and idle, step calls parse and lookup, lookup
 * calls walk and hash. WALK is how long walk takes, ROUNDS how long all does; with EXTRA hash has
 * one instruction more. */
#ifndef WALK
#define WALK 200
#endif
#ifndef ROUNDS
#define ROUNDS 2400
#endif

static volatile unsigned sink;

__attribute__((noipa)) unsigned walk(unsigned n)
{
	unsigned s = 0;
	for (unsigned i = 0; i < n * WALK; i++)
		s = s * 31 + i;
	return s;
}

__attribute__((noipa)) unsigned parse(unsigned n)
{
	unsigned s = 1;
	for (unsigned i = 0; i < n * 300; i++)
		s ^= s << 5, s += i;
	return s;
}

__attribute__((noipa)) unsigned hash(unsigned n)
{
	unsigned s = 1;
#ifdef EXTRA
	__asm__ volatile("nop");
#endif
	for (unsigned i = 0; i < n * 150; i++)
		s = (s ^ i) * 16777619u;
	return s;
}

__attribute__((noipa)) unsigned lookup(unsigned n)
{
	return walk(n) + hash(n);
}

__attribute__((noipa)) unsigned step(unsigned n)
{
	return parse(n) + lookup(n);
}

__attribute__((noipa)) unsigned idle(unsigned n)
{
	unsigned s = 3;
	for (unsigned i = 0; i < n * 100; i++)
		s = s / 3 + i;
	return s;
}

int main(void)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		sink += step(1000 + (sink & 1));
		sink += idle(1000 + (sink & 1));
	}
	return 0;
}
