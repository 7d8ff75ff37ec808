"""The tests themselves cannot leave the machine."""

import socket
import threading

import pytest

A_HOST_ELSEWHERE = "192.0.2.1"  # kept for documentation by RFC 5737: nobody is there


def greet_one(server):
    guest, _address = server.accept()
    with guest:
        guest.sendall(b"hello")


def test_a_connection_to_another_machine_is_refused():
    with socket.socket() as line, pytest.raises(RuntimeError, match=r"192\.0\.2\.1.*stay on this machine"):
        line.connect((A_HOST_ELSEWHERE, 80))


def test_a_datagram_to_another_machine_is_refused():
    with socket.socket(type=socket.SOCK_DGRAM) as line, pytest.raises(RuntimeError, match="stay on this machine"):
        line.sendto(b"hello", (A_HOST_ELSEWHERE, 9))


def test_a_name_of_another_machine_is_not_looked_up():
    with pytest.raises(RuntimeError, match=r"example\.org"):
        socket.getaddrinfo("example.org", 443)


def test_a_server_on_this_machine_can_be_talked_to():
    with socket.create_server(("127.0.0.1", 0)) as server:
        greeter = threading.Thread(target=greet_one, args=(server,))
        greeter.start()
        with socket.create_connection(("127.0.0.1", server.getsockname()[1])) as line:
            assert line.recv(5) == b"hello"
        greeter.join()
