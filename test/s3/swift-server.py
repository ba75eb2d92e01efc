"""One server of a small OpenStack Swift (proxy, account, container or object) from the operating system's packages.

    swift-server.py prepare DIRECTORY PROXY_PORT ACCOUNT_PORT CONTAINER_PORT OBJECT_PORT
    swift-server.py run DIRECTORY proxy|account|container|object

Everything lies in DIRECTORY, everything listens on loopback, objects live in memory. The proxy speaks S3 (s3api), and
tempauth verifies the signatures.
"""

import ctypes
import getpass
import os
import signal
import sys

SERVER = """[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
workers = 0
user = {user}
swift_dir = {directory}
devices = {directory}/devices
mount_check = false
log_level = ERROR
{more}
"""

STORAGE = """[pipeline:main]
pipeline = {name}-server
[app:{name}-server]
use = egg:swift#{app}
"""

PROXY = """[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
# tempauth wants a cache to be there. Nobody listens at this one, so nothing is ever cached.
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:9
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
"""


def settle(directory):
    """Swift reads /etc/swift unless another folder is set before any other part of it is loaded."""
    from swift.common import utils

    utils.SWIFT_CONF_FILE = os.path.join(directory, "swift.conf")
    utils.validate_configuration()
    return utils


def prepare(directory, ports):
    os.makedirs(os.path.join(directory, "devices", "disk"))
    with open(os.path.join(directory, "swift.conf"), "w") as file:
        file.write("[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n")
        file.write("[storage-policy:0]\nname = only\ndefault = yes\n")
    for name, port in ports.items():
        body = PROXY if name == "proxy" else STORAGE.format(name=name, app="mem_object" if name == "object" else name)
        with open(os.path.join(directory, name + ".conf"), "w") as file:
            file.write(SERVER.format(port=port, user=getpass.getuser(), directory=directory, more=body))
    settle(directory)
    from swift.common.ring import RingBuilder

    for name in ("account", "container", "object"):
        builder = RingBuilder(1, 1, 1)
        builder.add_dev(
            {"id": 0, "region": 1, "zone": 1, "weight": 1, "ip": "127.0.0.1", "port": int(ports[name]), "device": "disk",
             "replication_ip": "127.0.0.1", "replication_port": int(ports[name]), "meta": ""}
        )
        builder.rebalance()
        builder.get_ring().save(os.path.join(directory, name + ".ring.gz"))


def run(directory, name):
    # Linux: when the test process dies, this one goes with it (PR_SET_PDEATHSIG).
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
    settle(directory)
    from swift.common.wsgi import run_wsgi

    options = {}
    if name == "object":
        from swift.obj import server

        options["global_conf_callback"] = server.global_conf_callback
    return run_wsgi(os.path.join(directory, name + ".conf"), name + "-server", **options)


if __name__ == "__main__":
    command, where, *rest = sys.argv[1:]
    if command == "prepare":
        prepare(where, dict(zip(("proxy", "account", "container", "object"), rest)))
    else:
        sys.exit(run(where, rest[0]))
