# syntax=docker/dockerfile:1

# Installs and builds; the compiler is for the SQLite driver where no prebuilt one can be fetched.
FROM node:24-bookworm-slim AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 make g++ \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY . .
RUN node server/start.mjs --prepare \
  && npm prune --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/sqlite3/deps node_modules/.cache dist/client-types \
  && find dist -name '*.map' -delete

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8012 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json /app/package-lock.json /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/server/start.mjs /app/server/prepare.mjs /app/server/prepare-lock.mjs ./server/
COPY --from=build /app/server/cli/holdall.mjs ./server/cli/
COPY --from=build /app/dist ./dist
RUN ln -s /app/server/cli/holdall.mjs /usr/local/bin/holdall \
  && install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 8012
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/status`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/server/cli/holdall.mjs"]
CMD ["serve"]
