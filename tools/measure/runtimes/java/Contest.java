import java.util.Arrays;
import java.util.Map;

/**
 * The exchange paper's section in Java: Contest section lock=LOCK NAME=NUMBER... By `library` it runs on the JDK's
 * virtual threads with its ReentrantLock; by `exchange` and `dispatch` on carriers of our own with our mutex.
 */
final class Contest {
    private static final String PROGRAM = "section";

    private Contest() {
    }

    public static void main(String[] words) throws Exception {
        String lock = words.length > 1 && words[1].startsWith("lock=") ? words[1].substring("lock=".length()) : "";
        if (!Arrays.asList("dispatch", "exchange", "library").contains(lock) || !words[0].equals(PROGRAM)) {
            Main.fail("the first words are: " + PROGRAM + " lock=dispatch, lock=exchange or lock=library");
        }
        String[] rest = words.clone();
        rest[1] = rest[0];
        rest = Arrays.copyOfRange(rest, 1, rest.length);
        if (lock.equals("library")) {
            Main.main(rest);
            return;
        }
        Main.Program library = Main.PROGRAMS.get(PROGRAM);
        Map<String, Integer> given = Main.parameters(library, rest);
        Carriers carriers = new Carriers(given.get("processors"));
        Main.Program own = new Main.Program(library.defaults, library.operations, now -> Section.run(now,
                new HandOverMutex(carriers, lock.equals("exchange")), carriers::runTogether));
        Main.report(PROGRAM, own.operations.of(given), Main.measure(own, given));
    }
}
