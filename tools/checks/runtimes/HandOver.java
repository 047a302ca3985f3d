/** What runs after an unlock: on one carrier fiber 0 holds the mutex until 1 and 2 wait for it. Prints the order. */
final class HandOver {
    private HandOver() {
    }

    private static void letOthersRun(Carriers carriers) {
        Carriers.current().suspend(left -> {
            carriers.post(left);
            return null;
        });
    }

    public static void main(String[] words) throws InterruptedException {
        Carriers carriers = new Carriers(1);
        Mutex mutex = new HandOverMutex(carriers, words[0].equals("exchange"));
        StringBuffer order = new StringBuffer();
        int[] waiting = new int[1];
        carriers.runTogether(3, number -> {
            if (number != 0) {
                waiting[0]++;
            }
            mutex.lock();
            while (waiting[0] < 2) {
                letOthersRun(carriers);
            }
            order.append(number);
            mutex.unlock();
            order.append(number).append('\'');
        });
        System.out.println(order);
    }
}
