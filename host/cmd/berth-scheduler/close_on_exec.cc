// Sockets that are close-on-exec from the first moment, whatever creates them. Boost.Asio, and cpprestsdk with it, ask
// for them without SOCK_CLOEXEC, and cpprestsdk shows nobody a connection's socket once there is one. So these two
// functions of libc have their place taken: a program's own definition goes before a shared library's, for all that is
// linked. What another program would inherit of ours, while a plugin or a library starts one, is the API server's
// connections. Thread: any.
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {

int socket(int domain, int type, int protocol) noexcept {
  return static_cast<int>(syscall(SYS_socket, domain, type | SOCK_CLOEXEC, protocol));
}

int accept(int listener, sockaddr* address, socklen_t* length) {
  return static_cast<int>(syscall(SYS_accept4, listener, address, length, SOCK_CLOEXEC));
}

}  // extern "C"
