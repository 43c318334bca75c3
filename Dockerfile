# whet in a container: `docker build -t whet .`, then, in the repository to prove:
#
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/repo" \
#     --security-opt seccomp=unconfined --security-opt systempaths=unconfined --security-opt apparmor=unconfined \
#     whet prove --base origin/main
#
# bubblewrap makes a sandbox inside the container. It needs namespaces and mounts of its own, which Docker forbids:
#   seccomp=unconfined      the system calls unshare, clone and mount (bubblewrap sets a filter of its own inside)
#   systempaths=unconfined  a /proc of its own, which the kernel refuses while parts of the container's /proc are masked
#   apparmor=unconfined     mounts, on hosts with AppArmor
# Without them whet runs nothing, exits with 4 and says what is missing. There is no mode without a sandbox. The container is
# then no barrier for whet itself; the sandbox inside is the one for the code under test.
FROM python:3.12-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends bubblewrap git openssh-client \
    && rm -rf /var/lib/apt/lists/*
COPY . /src
RUN python -m pip install --no-cache-dir "/src[forge]" && rm -rf /src
# Any user may run it: the checkout belongs to a user of the host.
ENV HOME=/home/whet
RUN mkdir --mode=1777 /home/whet
WORKDIR /repo
ENTRYPOINT ["whet"]
CMD ["doctor", "--quick"]
