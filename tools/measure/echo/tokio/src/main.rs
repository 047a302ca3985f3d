// An echo server with a task for each connection, until the program's input ends. Its argument is the number of
// workers.
use std::io::Read;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

async fn answer(mut connection: TcpStream) -> std::io::Result<()> {
    connection.set_nodelay(true)?;
    let mut bytes = [0u8; 1024];
    loop {
        let count = connection.read(&mut bytes).await?;
        if count == 0 {
            return Ok(());
        }
        connection.write_all(&bytes[..count]).await?;
    }
}

async fn serve() -> std::io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.bind("127.0.0.1:0".parse().unwrap())?;
    let listener = socket.listen(4096)?; // the same backlog as the others
    println!("port {}", listener.local_addr()?.port());
    loop {
        let (connection, _) = listener.accept().await?;
        tokio::spawn(answer(connection));
    }
}

fn main() {
    let workers = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(1);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(workers)
        .enable_io()
        .build()
        .expect("the runtime does not start");
    runtime.spawn(serve());
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    std::process::exit(0);
}
