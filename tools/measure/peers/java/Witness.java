import java.util.concurrent.atomic.AtomicLong;

/** Stands inside what a lock protects and sees whether ever two are inside at once, as user/bench/witness.h. */
final class Witness {
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong complaints = new AtomicLong();

    long enter() {
        long found = count.getPlain();
        if (found % 2 != 0) {
            complaints.incrementAndGet();
        }
        count.setOpaque(found + 1);
        return found;
    }

    void leave(long entered) {
        if (count.getOpaque() != entered + 1) {
            complaints.incrementAndGet();
        }
        count.setOpaque(entered + 2);
    }

    boolean isContent(long sections) {
        return complaints.get() == 0 && count.get() == 2 * sections;
    }
}
