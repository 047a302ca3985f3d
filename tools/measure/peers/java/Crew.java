import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;

/** Virtual threads that run one function, start together and are joined together, as in user/crew.h. */
final class Crew {
    /** A member's part of the work. */
    interface Member {
        void run(int number) throws InterruptedException;
    }

    /** Runs that many members together, and returns the nanoseconds from their start to the last end. */
    interface Together {
        long run(int count, Member member) throws InterruptedException;
    }

    static final ThreadFactory VIRTUAL = virtualThreads();

    private Crew() {
    }

    /** Found by name: a compiler before Java 21 does not know it, and may still be the distribution's. */
    private static ThreadFactory virtualThreads() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder$OfVirtual");
            return (ThreadFactory) type.getMethod("factory").invoke(builder);
        } catch (ReflectiveOperationException missing) {
            Main.fail("this Java has no virtual threads; they came with Java 21, and this is "
                    + System.getProperty("java.version"));
            throw new IllegalStateException(missing);
        }
    }

    static Thread[] make(int count, Member member) {
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            int number = i;
            threads[i] = VIRTUAL.newThread(() -> {
                try {
                    member.run(number);
                } catch (InterruptedException unexpected) {
                    throw new IllegalStateException(unexpected);
                }
            });
        }
        return threads;
    }

    /** The nanoseconds from the start to the last join. */
    static long run(int count, Member member) throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        Thread[] threads = make(count, number -> {
            gate.await();
            member.run(number);
        });
        for (Thread thread : threads) {
            thread.start();
        }
        Thread.yield(); // so that they wait at the gate
        long start = System.nanoTime();
        gate.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        return System.nanoTime() - start;
    }

    static void check(boolean right) {
        if (!right) {
            throw new IllegalStateException("the result is wrong");
        }
    }
}
