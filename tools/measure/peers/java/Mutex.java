/** A lock as the programs use it. */
interface Mutex {
    void lock();

    void unlock();
}
