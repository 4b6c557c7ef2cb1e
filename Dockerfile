FROM node:24-slim AS build
WORKDIR /app
COPY . .
# The optional dependencies are Node.js itself, which the image brings.
RUN npm ci && npm prune --omit=dev --omit=optional

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production GALLEY_HOME=/var/lib/galley HOST=0.0.0.0
RUN mkdir -m 700 /var/lib/galley && chown node:node /var/lib/galley
COPY --from=build --chown=node:node /app /app
USER node
VOLUME /var/lib/galley
EXPOSE 8000
ENTRYPOINT ["node", "/app/cli/bin.js"]
CMD ["serve"]
