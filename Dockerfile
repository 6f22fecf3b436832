# syntax=docker/dockerfile:1

# Install and build. The SQLite driver is compiled because the prebuilt one commits more slowly (docs/adr/0002).
FROM node:24-trixie-slim AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 make g++ \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# The packages first, so that a changed source does not compile the driver again.
COPY package.json package-lock.json ./
COPY server/operations/build/prepare ./server/operations/build/prepare
RUN npm_config_build_from_source=true node -e "import('/app/server/operations/build/prepare/packages.mjs').then(({ install }) => install('/app', true))"
COPY . .
# Remove what production does not need: sources of compiled packages, TypeScript and a bundler (peer and optional
# dependencies), the build of FFmpeg for browsers, source maps.
RUN npm_config_build_from_source=true npm run build \
  && npm prune --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/sqlite3/deps node_modules/sqlite3/build/Release/obj* \
    node_modules/sqlite3/build/Release/*.a node_modules/.cache node_modules/typescript node_modules/@typescript \
    node_modules/@rollup node_modules/@ffmpeg/core/dist/esm node_modules/tesseract.js-core/*.wasm.js \
  && find dist -name '*.map' -delete

FROM node:24-trixie-slim
# Additional Debian packages, such as `ffmpeg` for the video tools and `postgresql-client` for PostgreSQL backups.
ARG PACKAGES=
# Without a font, renditions of SVG images show boxes instead of letters.
RUN apt-get update \
  && apt-get install -y --no-install-recommends fonts-dejavu-core $PACKAGES \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 HOST=0.0.0.0 PORT=8012 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json /app/package-lock.json /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/server/operations/build/prepare ./server/operations/build/prepare
COPY --from=build /app/server/operations/command/holdall.cjs ./server/operations/command/
COPY --from=build /app/dist ./dist
RUN ln -s /app/server/operations/command/holdall.cjs /usr/local/bin/holdall \
  && install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 8012
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The same flag as `npm start` (docs/performance.md).
ENTRYPOINT ["node", "--max-semi-space-size=8", "/app/server/operations/command/holdall.cjs"]
CMD ["serve"]
