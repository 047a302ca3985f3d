import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Runs one benchmark on virtual threads: Main PROGRAM NAME=NUMBER... */
final class Main {
    /** Makes a turn, and returns the nanoseconds of what counts. Throws where the result is wrong. */
    interface Turn {
        long run(Map<String, Integer> given) throws Exception;
    }

    interface Operations {
        long of(Map<String, Integer> given);
    }

    static final class Program {
        final Map<String, Integer> defaults;
        final Operations operations;
        final Turn turn;

        Program(Map<String, Integer> defaults, Operations operations, Turn turn) {
            this.defaults = defaults;
            this.operations = operations;
            this.turn = turn;
        }
    }

    /** The just-in-time compiler needs turns and time before what it has made is what runs. */
    static final int WARM_UP_TURNS = 5;
    static final long WARM_UP_NANOSECONDS = 700_000_000;

    static final Operations TASKS_TIMES_ROUNDS = given -> (long) given.get("tasks") * given.get("rounds");
    static final Operations PAIRS_TIMES_ROUNDS = given -> (long) given.get("pairs") * given.get("rounds");
    static final Operations ROUNDS = given -> given.get("rounds");
    static final Operations TWICE_ROUNDS = given -> 2L * given.get("rounds");

    static final Map<String, Program> PROGRAMS = new TreeMap<>();

    static {
        Map<String, Integer> pingpong = Map.of("rounds", 100_000);
        add("yield", Map.of("tasks", 10, "rounds", 20_000), TASKS_TIMES_ROUNDS, Tasks::yield);
        add("create", Map.of("tasks", 1_000, "rounds", 10), TASKS_TIMES_ROUNDS, Tasks::create);
        add("uncontended", Map.of("rounds", 1_000_000), ROUNDS, Tasks::uncontended);
        add("locks", Map.of("tasks", 64, "rounds", 10_000), TASKS_TIMES_ROUNDS, Tasks::locks);
        add("tokenring", Map.of("tasks", 100, "rounds", 200), TASKS_TIMES_ROUNDS, Tasks::tokenring);
        add("semaphore", pingpong, TWICE_ROUNDS, Messages::semaphore);
        add("channel", pingpong, TWICE_ROUNDS, Messages::channel);
        add("producer", Map.of("pairs", 1, "rounds", 10_000, "size", 10), PAIRS_TIMES_ROUNDS, Messages::producer);
        add("stream", Map.of("pairs", 1, "rounds", 10_000, "size", 16), PAIRS_TIMES_ROUNDS, Messages::stream);
        add("section", Map.of("tasks", 5_000, "rounds", 40, "section", 0, "size", 1_000_000, "primes", 1_000),
                TASKS_TIMES_ROUNDS, Section::run);
    }

    private Main() {
    }

    private static void add(String name, Map<String, Integer> defaults, Operations operations, Turn turn) {
        PROGRAMS.put(name, new Program(defaults, operations, turn));
    }

    static void fail(String sentence) {
        System.err.println(sentence);
        System.exit(1);
    }

    /** A decimal number, with k, M or G for thousands, millions or billions; 0 for what is none. */
    private static int number(String text) {
        int unit = text.isEmpty() ? -1 : "kMG".indexOf(text.charAt(text.length() - 1));
        String digits = unit < 0 ? text : text.substring(0, text.length() - 1);
        long scale = new long[] {1, 1_000, 1_000_000, 1_000_000_000}[unit + 1];
        if (!digits.matches("[0-9]{1,9}") || Long.parseLong(digits) * scale > Integer.MAX_VALUE) {
            return 0;
        }
        return (int) (Long.parseLong(digits) * scale);
    }

    static Map<String, Integer> parameters(Program program, String[] words) {
        Map<String, Integer> given = new HashMap<>(program.defaults);
        given.put("processors", 1);
        for (int i = 1; i < words.length; i++) {
            String[] parts = words[i].split("=", 2);
            if (parts.length < 2 || !given.containsKey(parts[0])) {
                fail(words[i] + ": not a parameter of this program (NAME=NUMBER)");
            }
            int value = number(parts[1]);
            if (value <= 0) {
                fail(words[i] + ": a value is a whole number from 1 on, such as 10 or 20k");
            }
            given.put(parts[0], value);
        }
        return given;
    }

    static long measure(Program program, Map<String, Integer> given) throws Exception {
        long start = System.nanoTime();
        for (int i = 0; i < WARM_UP_TURNS || System.nanoTime() - start < WARM_UP_NANOSECONDS; i++) {
            program.turn.run(given);
        }
        return program.turn.run(given);
    }

    public static void main(String[] words) throws Exception {
        if (words.length == 0 || !PROGRAMS.containsKey(words[0])) {
            fail("the first word is one of: " + String.join(" ", PROGRAMS.keySet()));
        }
        Program program = PROGRAMS.get(words[0]);
        Map<String, Integer> given = parameters(program, words);
        // Read when the first virtual thread is made.
        String processors = String.valueOf(given.get("processors"));
        System.setProperty("jdk.virtualThreadScheduler.parallelism", processors);
        System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", processors);
        long[] nanoseconds = new long[1];
        Thread main = Crew.VIRTUAL.newThread(() -> {
            try {
                nanoseconds[0] = measure(program, given);
            } catch (Exception failure) {
                fail(words[0] + ", java: " + failure.getMessage());
            }
        });
        main.start();
        main.join();
        report(words[0], program.operations.of(given), nanoseconds[0]);
    }

    static void report(String name, long operations, long nanoseconds) {
        System.out.printf(java.util.Locale.ROOT, "result %s peer=java ns=%.4f operations=%d%n", name,
                (double) nanoseconds / operations, operations);
    }
}
