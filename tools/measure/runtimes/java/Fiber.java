import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * A continuation of the JDK's, of which it makes its virtual threads, to be run by a carrier of our own. Found by
 * name, as the compiler may be older than the runtime, which needs --add-exports java.base/jdk.internal.vm=ALL-UNNAMED.
 *
 * <p>Compiled code may keep what Thread.currentThread() was, over a call after which it is another. So neither
 * suspend() nor Carriers.current() may be inlined: -XX:CompileCommand=dontinline.
 */
final class Fiber {
    /** What a carrier does when a fiber has left its stack; gives back what runs next there, or null. */
    interface Departure {
        Fiber leave(Fiber left);
    }

    private static final MethodHandle MAKE;
    private static final MethodHandle RUN;
    private static final MethodHandle YIELD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Class<?> type = Class.forName("jdk.internal.vm.Continuation");
            Class<?> scopeType = Class.forName("jdk.internal.vm.ContinuationScope");
            Object scope = lookup.findConstructor(scopeType, MethodType.methodType(void.class, String.class))
                    .invoke("carriers");
            MAKE = lookup.findConstructor(type, MethodType.methodType(void.class, scopeType, Runnable.class))
                    .bindTo(scope).asType(MethodType.methodType(Object.class, Runnable.class));
            RUN = lookup.findVirtual(type, "run", MethodType.methodType(void.class))
                    .asType(MethodType.methodType(void.class, Object.class));
            YIELD = lookup.findStatic(type, "yield", MethodType.methodType(boolean.class, scopeType)).bindTo(scope);
        } catch (Throwable missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    /** The next that waits, of a mutex. */
    Fiber next;

    private final Object continuation;
    private Departure departure;

    Fiber(Runnable body) {
        try {
            continuation = (Object) MAKE.invokeExact(body);
        } catch (Throwable unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    /** By its carrier: until it suspends itself or ends. What runs next there, or null. */
    Fiber run() {
        departure = null;
        try {
            RUN.invokeExact(continuation);
        } catch (Throwable unexpected) {
            throw new IllegalStateException(unexpected);
        }
        return departure == null ? null : departure.leave(this);
    }

    /** By the fiber itself: leave the carrier, which then does that. */
    void suspend(Departure then) {
        departure = then;
        try {
            boolean hasLeft = (boolean) YIELD.invokeExact();
        } catch (Throwable unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
