import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A mutex that is handed to the fiber that waits longest. By exchange that fiber runs at once in the place of the one
 * that unlocks, which is made ready; by dispatch it is made ready itself (exchange paper, sections 3 and 4).
 */
final class HandOverMutex implements Mutex {
    private static final int LOOKS = 100;

    private final Carriers carriers;
    private final boolean exchanges;
    private final AtomicBoolean word = new AtomicBoolean(); // held while what is below changes
    private boolean isLocked;
    private Fiber first;
    private Fiber last;

    HandOverMutex(Carriers carriers, boolean exchanges) {
        this.carriers = carriers;
        this.exchanges = exchanges;
    }

    /** As in user/include/heddle/coroutine.hpp: a carrier that waits looks some times, then lets other threads run. */
    private void hold() {
        for (int looks = 1; word.getOpaque() || !word.compareAndSet(false, true); looks++) {
            if (looks % LOOKS == 0) {
                Thread.yield();
            }
        }
    }

    private void letGo() {
        word.setRelease(false);
    }

    @Override
    public void lock() {
        hold();
        boolean isTaken = isLocked;
        isLocked = true;
        letGo();
        if (isTaken) {
            Carriers.current().suspend(this::waits);
        }
    }

    /** It has left its carrier: it is in line, or has the mutex and goes on. */
    private Fiber waits(Fiber left) {
        hold();
        boolean isTaken = isLocked;
        isLocked = true;
        if (isTaken) {
            left.next = null;
            if (first == null) {
                first = left;
            } else {
                last.next = left;
            }
            last = left;
        }
        letGo();
        return isTaken ? null : left;
    }

    @Override
    public void unlock() {
        hold();
        Fiber next = first;
        if (next == null) {
            isLocked = false;
        } else {
            first = next.next;
        }
        letGo();
        if (next == null) {
            return;
        }
        if (exchanges) {
            Carriers.current().suspend(left -> {
                carriers.post(left);
                return next;
            });
        } else {
            carriers.post(next);
        }
    }
}
