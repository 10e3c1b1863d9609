// Package wire measures with packets of TCP connections on the loopback interface, as the kernel stamps them: without the
// time that a proxy needs itself. It needs the capability NET_RAW.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Packet is a TCP segment with data over IPv4.
type Packet struct {
	Sent     time.Time // when it arrived: on loopback, while its sender sends it
	From, To uint16    // ports
	Bytes    int       // of data
}

// Capture collects packets from Start to Stop.
type Capture struct {
	fd      int
	port    uint16
	stop    func()
	done    chan struct{} // closed when the last packet is in
	packets []Packet      // valid after done
}

// Start captures what goes to and comes from this port of the loopback interface.
func Start(port uint16) (*Capture, error) {
	loopback, err := net.InterfaceByName("lo")
	if err != nil {
		return nil, err
	}
	// A socket for one protocol gets what arrives, not what leaves; the loopback interface would show it twice.
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, int(bigEndian(unix.ETH_P_IP)))
	if err != nil {
		return nil, fmt.Errorf("wire: a packet socket needs the capability NET_RAW: %w", err)
	}
	err = errors.Join(
		unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1),
		unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 16<<20),
		unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 100_000}), // Stop waits for it
		unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: bigEndian(unix.ETH_P_IP), Ifindex: loopback.Index}))
	if err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	c := &Capture{fd: fd, port: port, done: make(chan struct{})}
	stop := make(chan struct{})
	c.stop = sync.OnceFunc(func() { close(stop) })
	go c.collect(stop)
	return c, nil
}

// Stop ends the capture and returns the packets in the order in which they were sent.
func (c *Capture) Stop() []Packet {
	c.stop()
	<-c.done
	return c.packets
}

func (c *Capture) collect(stop chan struct{}) {
	defer close(c.done)
	defer unix.Close(c.fd)
	data, control := make([]byte, 128), make([]byte, 128) // headers are enough
	for {
		select {
		case <-stop:
			return
		default:
		}
		n, controls, _, _, err := unix.Recvmsg(c.fd, data, control, 0)
		if err != nil {
			continue // no packet within the time limit
		}
		if packet, ok := parse(data[:n]); ok && (packet.From == c.port || packet.To == c.port) {
			packet.Sent = stamp(control[:controls])
			c.packets = append(c.packets, packet)
		}
	}
}

// parse reads the headers of IPv4 and TCP; false for what is no TCP segment with data.
func parse(data []byte) (Packet, bool) {
	if len(data) < 20 || data[0]>>4 != 4 || data[9] != unix.IPPROTO_TCP {
		return Packet{}, false
	}
	total, header := int(binary.BigEndian.Uint16(data[2:])), int(data[0]&15)*4
	if len(data) < header+20 {
		return Packet{}, false
	}
	segment := data[header:]
	bytes := total - header - int(segment[12]>>4)*4
	return Packet{From: binary.BigEndian.Uint16(segment), To: binary.BigEndian.Uint16(segment[2:]), Bytes: bytes}, bytes > 0
}

// stamp is the kernel's time of a packet, the zero time without one.
func stamp(control []byte) time.Time {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return time.Time{}
	}
	for _, m := range messages {
		if m.Header.Level == unix.SOL_SOCKET && m.Header.Type == unix.SO_TIMESTAMPNS && len(m.Data) >= int(unsafe.Sizeof(unix.Timespec{})) {
			at := (*unix.Timespec)(unsafe.Pointer(&m.Data[0]))
			return time.Unix(at.Unix())
		}
	}
	return time.Time{}
}

func bigEndian(protocol uint16) uint16 { return protocol<<8 | protocol>>8 }
