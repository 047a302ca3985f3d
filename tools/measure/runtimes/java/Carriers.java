import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that run fibers, each from a queue of its own, first in, first out; one whose queue is empty takes from the
 * others', and sleeps when they are empty, too.
 */
final class Carriers {
    private static final int LOOKS_BEFORE_SLEEP = 64;

    /** One of the threads. */
    private final class Carrier extends Thread {
        private final ConcurrentLinkedQueue<Fiber> ready = new ConcurrentLinkedQueue<>();
        private final int index;
        private Fiber running;

        Carrier(int index) {
            this.index = index;
            setDaemon(true);
        }

        @Override
        public void run() {
            Fiber next = null;
            while (true) {
                running = next == null ? await() : next;
                next = running.run();
            }
        }

        private Fiber find() {
            for (int i = 0; i < all.length; i++) {
                Fiber found = all[(index + i) % all.length].ready.poll();
                if (found != null) {
                    return found;
                }
            }
            return null;
        }

        private Fiber await() {
            for (int i = 0; i < LOOKS_BEFORE_SLEEP; i++) {
                Fiber found = find();
                if (found != null) {
                    return found;
                }
                Thread.yield();
            }
            return sleep();
        }

        /** It says that it sleeps before it looks for the last time; post() looks for that after it has put. */
        private Fiber sleep() {
            synchronized (sleeping) {
                sleeping.incrementAndGet();
                try {
                    Fiber found = find();
                    for (; found == null; found = find()) {
                        sleeping.wait();
                    }
                    return found;
                } catch (InterruptedException unexpected) {
                    throw new IllegalStateException(unexpected);
                } finally {
                    sleeping.decrementAndGet();
                }
            }
        }
    }

    private final Carrier[] all;
    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicInteger sleeping = new AtomicInteger();

    Carriers(int count) {
        all = new Carrier[count];
        for (int i = 0; i < count; i++) {
            all[i] = new Carrier(i);
        }
        for (Carrier carrier : all) {
            carrier.start();
        }
    }

    /** The fiber that runs here. */
    static Fiber current() {
        return ((Carrier) Thread.currentThread()).running;
    }

    void post(Fiber fiber) {
        Thread here = Thread.currentThread();
        Carrier own = here instanceof Carrier ? (Carrier) here : all[turn.getAndIncrement() % all.length];
        own.ready.add(fiber);
        if (sleeping.get() > 0) {
            synchronized (sleeping) {
                sleeping.notify();
            }
        }
    }

    /** As Crew.run(). */
    long runTogether(int count, Crew.Member member) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(count);
        Fiber[] fibers = new Fiber[count];
        for (int i = 0; i < count; i++) {
            int number = i;
            fibers[i] = new Fiber(() -> {
                try {
                    member.run(number);
                } catch (Throwable unexpected) {
                    Main.fail("a fiber ended by " + unexpected);
                }
                ended.countDown();
            });
        }
        long start = System.nanoTime();
        for (Fiber fiber : fibers) {
            post(fiber);
        }
        ended.await();
        return System.nanoTime() - start;
    }
}
