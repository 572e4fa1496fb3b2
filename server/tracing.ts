import { setTimeout as pause } from 'node:timers/promises'
import { type Context, context, propagation, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LogEvent } from 'kysely'
import { onRequestEnd } from './http/request-end.ts'
import { TRACER } from './tracer.ts'

type Tracing = {
  watch: (app: FastifyInstance) => void
  onQuery: (event: LogEvent) => void
  /** Sends the remaining spans and stops. */
  stop: () => Promise<void>
}

type TracingLog = { warn(details: object, message: string): void; info(message: string): void }

const STOP_WITHIN_MS = 2_000

/**
 * Starts sending spans of requests, their queries and jobs to an OpenTelemetry collector (rules §41.1). This module is
 * loaded only when one is configured, because tracking requests through promises slows each of them down a little.
 */
export function startTracing({ endpoint, ratio }: { endpoint: string; ratio: number }, log: TracingLog): Tracing {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': TRACER }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: withLog(exporter, log) })],
  })
  trace.setGlobalTracerProvider(provider)
  const tracer = provider.getTracer(TRACER)
  return {
    watch: (app) => traceRequests(app, tracer),
    onQuery: (event) => traceQuery(event, tracer),
    // The last spans are not worth waiting for a collector that is away.
    stop: () => Promise.race([provider.shutdown().catch(() => undefined), pause(STOP_WITHIN_MS)]),
  }
}

/** Logs when the collector does not take spans, and when it does again; not for each batch. */
export function withLog(exporter: SpanExporter, log: TracingLog): SpanExporter {
  let isTaking = true
  const look = ({ code, error }: ExportResult) => {
    const wasTaking = isTaking
    isTaking = code === ExportResultCode.SUCCESS
    if (wasTaking && !isTaking) log.warn({ err: error }, 'traces cannot be sent: look at OTEL_EXPORTER_OTLP_ENDPOINT')
    if (!wasTaking && isTaking) log.info('traces are sent again')
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        look(result)
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  const contexts = new WeakMap<FastifyRequest, Context>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route = 'none', config } = request.routeOptions
    // An event stream ends only when its screen is closed.
    if (config.isEventStream) return done()
    const caller = propagation.extract(context.active(), request.headers)
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'podkeeper.request_id': request.id,
    }
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, caller)
    const within = trace.setSpan(caller, span)
    contexts.set(request, within)
    context.with(within, done)
  })
  // Restores the context, which is lost while the body arrives in events of the connection.
  app.addHook('preValidation', (request, _reply, done) => {
    context.with(contexts.get(request) ?? context.active(), done)
  })
  onRequestEnd(app, (request, _reply, status) => {
    const within = contexts.get(request)
    const span = within && trace.getSpan(within)
    span?.setAttribute('http.response.status_code', status)
    if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  })
}

/** Records a span for a query, with its SQL text, which contains no values. */
function traceQuery({ query, queryDurationMillis, level }: LogEvent, tracer: Tracer): void {
  // Queries outside a trace, such as looking for jobs, are not traced.
  if (trace.getActiveSpan() === undefined) return
  const endTime = Date.now()
  const [verb = 'query'] = query.sql.trim().split(/\s/, 1)
  const span = tracer.startSpan(verb.toLowerCase(), {
    kind: SpanKind.CLIENT,
    startTime: endTime - queryDurationMillis,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': query.sql },
  })
  if (level === 'error') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(endTime)
}
