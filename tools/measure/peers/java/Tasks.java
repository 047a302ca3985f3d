import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

final class Tasks {
    private Tasks() {
    }

    /** Threads that do nothing but yield, as user/bench/switch.c. */
    static long yield(Map<String, Integer> given) throws InterruptedException {
        int tasks = given.get("tasks");
        int rounds = given.get("rounds");
        AtomicLong yields = new AtomicLong();
        long nanoseconds = Crew.run(tasks, number -> {
            for (int i = 0; i < rounds; i++) {
                Thread.yield();
            }
            yields.addAndGet(rounds);
        });
        Crew.check(yields.get() == (long) tasks * rounds);
        return nanoseconds;
    }

    /** Threads that do nothing are made, and then all joined, as user/bench/create.c. */
    static long create(Map<String, Integer> given) throws InterruptedException {
        int tasks = given.get("tasks");
        int rounds = given.get("rounds");
        AtomicLong ran = new AtomicLong();
        Thread[] made = new Thread[tasks];
        long start = System.nanoTime();
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < tasks; i++) {
                made[i] = Crew.VIRTUAL.newThread(ran::incrementAndGet);
                made[i].start();
            }
            for (Thread thread : made) {
                thread.join();
            }
        }
        long nanoseconds = System.nanoTime() - start;
        Crew.check(ran.get() == (long) tasks * rounds);
        return nanoseconds;
    }

    /** One thread locks and unlocks an uncontended mutex, as user/bench/uncontended.c. */
    static long uncontended(Map<String, Integer> given) throws InterruptedException {
        int rounds = given.get("rounds");
        ReentrantLock mutex = new ReentrantLock();
        long[] sections = new long[1];
        long nanoseconds = Crew.run(1, number -> {
            for (int i = 0; i < rounds; i++) {
                mutex.lock();
                try {
                    sections[0]++;
                } finally {
                    mutex.unlock();
                }
            }
        });
        Crew.check(sections[0] == rounds);
        return nanoseconds;
    }

    /** Threads lock and unlock one mutex for all, as user/bench/locks.c with scope=global. */
    static long locks(Map<String, Integer> given) throws InterruptedException {
        int tasks = given.get("tasks");
        int rounds = given.get("rounds");
        ReentrantLock mutex = new ReentrantLock();
        Witness inside = new Witness();
        long nanoseconds = Crew.run(tasks, number -> {
            for (int i = 0; i < rounds; i++) {
                mutex.lock();
                try {
                    inside.leave(inside.enter());
                } finally {
                    mutex.unlock();
                }
            }
        });
        Crew.check(inside.isContent((long) tasks * rounds));
        return nanoseconds;
    }

    /** Players in a ring hand on a token, as user/bench/tokenring.c, by parking and unparking. */
    static long tokenring(Map<String, Integer> given) throws InterruptedException {
        int tasks = given.get("tasks");
        int rounds = given.get("rounds");
        AtomicLong moves = new AtomicLong();
        Thread[][] players = new Thread[1][];
        players[0] = Crew.make(tasks, number -> {
            for (int i = 0; i < rounds; i++) {
                long ownTurn = (long) i * tasks + number;
                while (moves.getAcquire() != ownTurn) {
                    LockSupport.park();
                }
                moves.setRelease(ownTurn + 1);
                LockSupport.unpark(players[0][(number + 1) % tasks]);
            }
        });
        for (int i = tasks - 1; i > 0; i--) {
            players[0][i].start();
        }
        Thread.yield(); // so that they wait for their turn
        long start = System.nanoTime();
        players[0][0].start();
        for (Thread player : players[0]) {
            player.join();
        }
        long nanoseconds = System.nanoTime() - start;
        Crew.check(moves.get() == (long) tasks * rounds);
        return nanoseconds;
    }
}
