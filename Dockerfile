# The image of Rowpress. Any base with Debian's glibc, Node 22.18 or newer and npm works:
#   docker build -t rowpress .
#   docker build -t rowpress --build-arg BASE=node:22-trixie-slim .
ARG BASE=docker.io/library/node:24-bookworm-slim

# The npm package, built as `npm pack` builds it in a checkout.
FROM ${BASE} AS package
WORKDIR /checkout
COPY . .
# The script of the package `node` would only install a second Node.
RUN npm ci --ignore-scripts --no-audit --no-fund \
 && mkdir /package \
 && npm pack --pack-destination /package

# The package with its production dependencies, in the versions of the lock file.
FROM ${BASE} AS installation
WORKDIR /opt/rowpress
COPY --from=package /package /package
COPY package-lock.json .npmrc ./
RUN tar -xzf /package/rowpress-*.tgz --strip-components=1 \
 && npm ci --omit=dev --ignore-scripts --workspaces=false --no-audit --no-fund

FROM ${BASE}
# tini reaps processes that PostgreSQL and the parsers leave behind, and passes on signals. bubblewrap isolates the parsers.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates tini bubblewrap \
 && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* \
 && ln -s /opt/rowpress/bin/rowpress /usr/local/bin/rowpress \
 && install -d -o 10001 -g 10001 -m 0700 /data \
 && echo 'rowpress:x:10001:10001:Rowpress:/data:/usr/sbin/nologin' >> /etc/passwd \
 && echo 'rowpress:x:10001:' >> /etc/group
COPY --from=installation /opt/rowpress /opt/rowpress
COPY container/healthcheck.mjs /opt/rowpress/healthcheck.mjs
# The root file system can be read-only: everything that is written goes to the volume or to /tmp.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    HOME=/tmp \
    ROWPRESS_DATA_DIR=/data \
    NODE_COMPILE_CACHE=/data/compile-cache
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
# `healthz` depends on no other component, so that an outage of the database does not restart every node.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/opt/rowpress/healthcheck.mjs"]
ENTRYPOINT ["/usr/bin/tini", "--", "rowpress"]
CMD ["serve"]
