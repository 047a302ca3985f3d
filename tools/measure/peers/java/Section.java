import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Each thread picks a random large prime, inserts it into a map that all share, in a critical section, and takes it
 * apart outside, as user/bench/section.c: the same random numbers, primes, map and divisions.
 */
final class Section {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    /** A table of fixed size with open addressing; key 0: free. An object for each entry would be another map. */
    private static final class Table {
        private final long[] keys;
        private final long[] values;
        private final long[] inserts;

        Table(int room) {
            int size = 2;
            while (size < 2 * room) {
                size *= 2;
            }
            keys = new long[size];
            values = new long[size];
            inserts = new long[size];
        }

        void insert(long key, long value) {
            int mask = keys.length - 1;
            int place = (int) (key * GOLDEN >>> 32) & mask;
            while (keys[place] != 0 && keys[place] != key) {
                place = place + 1 & mask;
            }
            keys[place] = key;
            values[place] = value;
            inserts[place]++;
        }

        boolean has(long count, long sum) {
            for (int i = 0; i < keys.length; i++) {
                if (values[i] != keys[i]) {
                    return false;
                }
                count -= inserts[i];
                sum -= inserts[i] * keys[i];
            }
            return count == 0 && sum == 0;
        }
    }

    private Section() {
    }

    /** The largest primes up to a limit, at most that many. */
    private static int[] primes(int limit, int count) {
        boolean[] composite = new boolean[limit + 1];
        for (int number = 2; number * number <= limit; number++) {
            for (int multiple = number * number; !composite[number] && multiple <= limit; multiple += number) {
                composite[multiple] = true;
            }
        }
        int[] found = new int[count];
        int size = 0;
        for (int number = limit; number >= 2 && size < count; number--) {
            if (!composite[number]) {
                found[size++] = number;
            }
        }
        return java.util.Arrays.copyOf(found, size);
    }

    private static int factorsCount(int number) {
        int count = 0;
        for (; number % 2 == 0; number /= 2) {
            count++;
        }
        for (int divisor = 3; divisor <= number / divisor; divisor += 2) {
            for (; number % divisor == 0; number /= divisor) {
                count++;
            }
        }
        return number > 1 ? count + 1 : count;
    }

    /** As user/bench/section.c lingers in a section. */
    private static void linger(long nanoseconds) {
        long start = nanoseconds > 0 ? System.nanoTime() : 0;
        while (nanoseconds > 0 && System.nanoTime() - start < nanoseconds) {
            Thread.onSpinWait();
        }
    }

    static long run(Map<String, Integer> given) throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        return run(given, new Mutex() {
            @Override
            public void lock() {
                lock.lock();
            }

            @Override
            public void unlock() {
                lock.unlock();
            }
        }, Crew::run);
    }

    static long run(Map<String, Integer> given, Mutex mutex, Crew.Together together) throws InterruptedException {
        int tasks = given.get("tasks");
        int rounds = given.get("rounds");
        int[] numbers = primes(given.get("size"), given.get("primes"));
        Table shared = new Table(numbers.length);
        int section = given.get("section");
        Witness inside = new Witness();
        AtomicLong sum = new AtomicLong();
        AtomicLong factors = new AtomicLong();
        long nanoseconds = together.run(tasks, number -> {
            long state = (number + 2) * GOLDEN;
            long ownSum = 0;
            long ownFactors = 0;
            for (int i = 0; i < rounds; i++) {
                state = state * 6364136223846793005L + 1442695040888963407L;
                int prime = numbers[(int) ((state >>> 32) * numbers.length >>> 32)];
                mutex.lock();
                try {
                    long entered = inside.enter();
                    shared.insert(prime, prime);
                    linger(section);
                    inside.leave(entered);
                } finally {
                    mutex.unlock();
                }
                ownFactors += factorsCount(prime);
                ownSum += prime;
            }
            sum.addAndGet(ownSum);
            factors.addAndGet(ownFactors);
        });
        long sections = (long) tasks * rounds;
        Crew.check(inside.isContent(sections) && shared.has(sections, sum.get()) && factors.get() == sections);
        return nanoseconds;
    }
}
