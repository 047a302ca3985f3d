import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

final class Messages {
    /** A message; each producer counts its own from 0 on. */
    static final class Message {
        final int producer;
        final int number;

        Message(int producer, int number) {
            this.producer = producer;
            this.number = number;
        }
    }

    interface Buffer {
        void put(Message sent) throws InterruptedException;

        Message take() throws InterruptedException;
    }

    private Messages() {
    }

    /** Two threads hand a ball to and fro by two semaphores, as user/bench/pingpong.c with by=semaphore. */
    static long semaphore(Map<String, Integer> given) throws InterruptedException {
        int rounds = given.get("rounds");
        Semaphore[] turns = {new Semaphore(1), new Semaphore(0)};
        long[] ball = new long[2]; // the ball and what was wrong, of the one whose turn it is
        long nanoseconds = Crew.run(2, number -> {
            for (int i = 0; i < rounds; i++) {
                turns[number].acquire();
                if (ball[0]++ != 2L * i + number) {
                    ball[1]++;
                }
                turns[1 - number].release();
            }
        });
        Crew.check(ball[0] == 2L * rounds && ball[1] == 0);
        return nanoseconds;
    }

    /** Two threads hand a ball to and fro by two queues, as user/bench/pingpong.c with by=channel. */
    static long channel(Map<String, Integer> given) throws InterruptedException {
        int rounds = given.get("rounds");
        BlockingQueue<Long> there = new ArrayBlockingQueue<>(1);
        BlockingQueue<Long> back = new ArrayBlockingQueue<>(1);
        long[] seen = new long[2]; // the last ball, and what was wrong
        long nanoseconds = Crew.run(2, number -> {
            for (int i = 0; i < rounds; i++) {
                if (number == 0) {
                    there.put(2L * i + 1);
                    seen[0] = back.take();
                } else {
                    long ball = there.take();
                    if (ball != 2L * i + 1) {
                        seen[1]++;
                    }
                    back.put(ball + 1);
                }
            }
        });
        Crew.check(seen[0] == 2L * rounds && seen[1] == 0);
        return nanoseconds;
    }

    /** A monitor, as that of user/bench/producer.c. */
    static final class Monitor implements Buffer {
        private final ReentrantLock mutex = new ReentrantLock();
        private final Condition hasRoom = mutex.newCondition();
        private final Condition hasSome = mutex.newCondition();
        private final Message[] messages;
        private long putCount;
        private long taken;

        Monitor(int capacity) {
            messages = new Message[capacity];
        }

        @Override
        public void put(Message sent) throws InterruptedException {
            mutex.lock();
            try {
                while (putCount - taken == messages.length) {
                    hasRoom.await();
                }
                messages[(int) (putCount++ % messages.length)] = sent;
                hasSome.signal();
            } finally {
                mutex.unlock();
            }
        }

        @Override
        public Message take() throws InterruptedException {
            mutex.lock();
            try {
                while (putCount == taken) {
                    hasSome.await();
                }
                Message got = messages[(int) (taken++ % messages.length)];
                hasRoom.signal();
                return got;
            } finally {
                mutex.unlock();
            }
        }
    }

    static final class Queue implements Buffer {
        private final BlockingQueue<Message> messages;

        Queue(int capacity) {
            messages = new ArrayBlockingQueue<>(capacity);
        }

        @Override
        public void put(Message sent) throws InterruptedException {
            messages.put(sent);
        }

        @Override
        public Message take() throws InterruptedException {
            return messages.take();
        }
    }

    /** Producers and consumers: each message must come once, and those of one producer in order. */
    private static long market(Map<String, Integer> given, Buffer buffer) throws InterruptedException {
        int pairs = given.get("pairs");
        int rounds = given.get("rounds");
        byte[] received = new byte[pairs * rounds];
        AtomicLong wrong = new AtomicLong();
        long nanoseconds = Crew.run(2 * pairs, number -> {
            int[] expected = new int[pairs]; // no earlier number can come any more
            for (int i = 0; i < rounds; i++) {
                if (number % 2 == 0) {
                    buffer.put(new Message(number / 2, i));
                    continue;
                }
                Message got = buffer.take();
                if (got.number < expected[got.producer]) {
                    wrong.incrementAndGet();
                }
                expected[got.producer] = got.number + 1;
                received[got.producer * rounds + got.number]++;
            }
        });
        for (byte times : received) {
            Crew.check(times == 1);
        }
        Crew.check(wrong.get() == 0);
        return nanoseconds;
    }

    static long producer(Map<String, Integer> given) throws InterruptedException {
        return market(given, new Monitor(given.get("size")));
    }

    static long stream(Map<String, Integer> given) throws InterruptedException {
        return market(given, new Queue(given.get("size")));
    }
}
