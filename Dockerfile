# The first stage builds with all development tools; the final image contains only what the server needs.
# The digest is of the index for all platforms. `docker buildx imagetools inspect node:24-bookworm-slim` shows the newest.
ARG BASE=node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20
FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# sbom.json lists all packages in the image, to find installations that contain a vulnerable one.
RUN npm run build && npm sbom --omit=dev --sbom-format cyclonedx > sbom.json && npm prune --omit=dev

FROM ${BASE}
WORKDIR /app
# SECRET_KEY and PUBLIC_URL have no safe default: the server does not start without them and says so.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
COPY --from=build /app/package.json /app/sbom.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/scripts/start.mjs /app/scripts/build-stamp.mjs /app/scripts/env-file.mjs ./scripts/
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD node -e "fetch('http://127.0.0.1:'+process.env.PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
# Does not start through npm, so that signals reach the server, which then finishes pending requests.
CMD ["node", "dist/server/main.js"]
