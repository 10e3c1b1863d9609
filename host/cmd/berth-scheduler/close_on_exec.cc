// Makes every socket close-on-exec at its creation, whatever code creates it. Boost.Asio, and cpprestsdk through it,
// create sockets without SOCK_CLOEXEC, and cpprestsdk does not expose the socket of a connection. This file
// therefore replaces two functions of libc: for all linked code, a program's definition has priority over a shared
// library's. Otherwise a program that a plugin or a library starts could inherit the connections to the API server.
// Thread: any.
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
