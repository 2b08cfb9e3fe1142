import type { Mutant } from './mutant.ts'

const SPANS = ['test/plugins/tracing/tracing.test.ts']
const ENVIRONMENT = ['test/plugins/tracing/read-environment.test.ts']

/** Spans: tracing, its content, and its limits. */
export const TRACING: readonly Mutant[] = [
  {
    fault: 'Paths that are skipped are traced',
    file: 'plugins/tracing/observe-requests.ts',
    find: "if (ctx.transport === 'http' && skipped.has(ctx.pathname)) return\n",
    replace: '',
    tests: SPANS,
  },
  {
    fault: 'Traces of others are gone on with where that is forbidden',
    file: 'plugins/tracing/request-span.ts',
    find: "incoming === 'ignore' ? ROOT_CONTEXT :",
    replace: "incoming === ('never' as string) ? ROOT_CONTEXT :",
    tests: SPANS,
  },
  {
    fault: 'A trace that should be linked is gone on with',
    file: 'plugins/tracing/request-span.ts',
    find: "(incoming === 'continue' && CONTINUED.includes(ctx.transport))",
    replace: 'CONTINUED.includes(ctx.transport)',
    tests: SPANS,
  },
  {
    fault: 'A span is named by its path and not by its route',
    file: 'plugins/tracing/request-span.ts',
    find: 'span.updateName(`${methodOf(ctx)} ${path}`)',
    replace: 'span.updateName(`${methodOf(ctx)} ${ctx.pathname}`)',
    tests: SPANS,
  },
  {
    fault: 'Errors of the caller count as failures of the service',
    file: 'plugins/tracing/spans.ts',
    find: 'if (!(error instanceof SvcError) || error.status >= 500)',
    replace: 'if (!(error instanceof SvcError) || error.status >= 400)',
    tests: SPANS,
  },
  {
    fault: 'A span contains the message of an error',
    file: 'plugins/tracing/spans.ts',
    find: "span.setAttribute('error.type', codeOf(error))",
    replace: "span.setAttribute('error.type', String(error))",
    tests: SPANS,
  },
  {
    fault: 'Failed roots leave no word on their operation',
    file: 'plugins/tracing/observe-requests.ts',
    find: 'const worst = errors!.find(({ status }) => status >= 500) ?? first',
    replace: 'const worst = errors!.find(({ status }) => status >= 900) ?? first',
    tests: SPANS,
  },
  {
    fault: 'A span ends before the stream that it is around',
    file: 'plugins/tracing/request-span.ts',
    find: 'if (reply.body instanceof Readable) finished(reply.body, () => span.end())',
    replace: 'if (reply.body instanceof Readable) span.end()',
    tests: SPANS,
  },
  {
    fault: 'Texts of statements are on every span',
    file: 'plugins/tracing/statement-span.ts',
    find: '...(this.#withText && {',
    replace: '...(this.#withText !== null && {',
    tests: SPANS,
  },
  {
    fault: 'Plans that are made for a span have spans',
    file: 'plugins/tracing/observe-requests.ts',
    find: 'if (context.active().getValue(ASIDE) === true) return\n',
    replace: '',
    tests: SPANS,
  },
  {
    fault: 'Baggage goes to strangers',
    file: 'plugins/tracing/index.ts',
    find: 'propagation.inject(propagation.deleteBaggage(within), headers)',
    replace: 'propagation.inject(within, headers)',
    tests: ['test/plugins/tracing/webhooks.test.ts'],
    survives: 'the context is made of a traceparent alone, so that there is no baggage in it to take out',
  },
  {
    fault: 'A trace that is not sampled is an exemplar',
    file: 'plugins/tracing/index.ts',
    find: '(current.traceFlags & TraceFlags.SAMPLED) === 0',
    replace: '(current.traceFlags & TraceFlags.SAMPLED) === 9',
    tests: SPANS,
  },
  {
    fault: 'A collector that is away is said for every batch',
    file: 'plugins/tracing/watched-exporter.ts',
    find: 'report.lost(spans, error, !isFailing)',
    replace: 'report.lost(spans, error, true)',
    tests: ['test/plugins/tracing/watched-exporter.test.ts'],
  },
  {
    fault: 'An unknown exporter is passed over',
    file: 'plugins/tracing/read-environment.ts',
    find: 'if (found !== undefined) return found\n',
    replace: 'if (found !== undefined || known.length > 0) return found ?? known[0]!\n',
    tests: ENVIRONMENT,
  },
  {
    fault: 'A ratio above one is taken',
    file: 'plugins/tracing/read-environment.ts',
    find: 'Number(ratio) <= 1)',
    replace: 'Number(ratio) <= 100)',
    tests: ENVIRONMENT,
  },
]
