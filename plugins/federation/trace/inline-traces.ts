import type { PbfWriter } from 'pbf'
import { typeRefs } from '../../../core/doors/front.ts'
import {
  type HttpExchange,
  importPackages,
  isPromise,
  type Observer,
  type Operation,
  type RootSelection,
  rootName,
} from '../../../core/doors/plugin.ts'
import type { RenderedError } from '../../graphql/api.ts'
import { TRACE_PACKAGE } from './trace-package.ts'

/** Header with which a router requests a trace. */
const HEADER = 'apollo-federation-include-trace'
const PARENTS = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const
/** Types of the roots of this plugin. Operations only contain their names. */
const OWN: Readonly<Record<string, string>> = { _entities: '[_Entity]!', _service: '_Service!' }

/** Recorded times of a request, in milliseconds since it was read. */
interface Noted {
  readonly startedAt: number
  readonly started: number
  /** Operation of the document. Operations of its root fields run later. */
  operation: Operation | null
  ran: Window
  /** Time from the first statement to the end of the last one. */
  asked: Window
}

interface Window {
  from: number
  to: number
}

/**
 * Records times and errors of a request, and writes them as a federated trace (`ftv1`) into `extensions` of the
 * response. Only for routers that request one.
 */
export class InlineTraces {
  readonly #noted = new WeakMap<object, Noted>()
  readonly #create: CreateWriter

  constructor(create: CreateWriter) {
    this.#create = create
  }

  readonly begin = (ctx: HttpExchange): ((errors: readonly RenderedError[]) => string) | null => {
    if (ctx.headers[HEADER] !== 'ftv1') return null
    const none = () => ({ from: Number.POSITIVE_INFINITY, to: 0 })
    const noted: Noted = {
      startedAt: Date.now(),
      started: performance.now(),
      operation: null,
      ran: none(),
      asked: none(),
    }
    this.#noted.set(ctx, noted)
    return (errors) => JSON.stringify(this.#encode(noted, errors))
  }

  /** Observes operations. Requests without the header only cost a look-up. */
  readonly observer: Observer = {
    operation: (ctx, operation, next) => {
      const noted = this.#noted.get(ctx)
      if (noted === undefined) return
      noted.operation ??= operation
      return watch(noted, noted.ran, next)
    },
    statement: ({ exchange, within }, next) => {
      const noted = exchange === null || within ? undefined : this.#noted.get(exchange)
      return noted === undefined ? undefined : watch(noted, noted.asked, next)
    },
  }

  #encode(noted: Noted, errors: readonly RenderedError[]): string {
    const duration = performance.now() - noted.started
    const children = noted.operation === null ? [] : nodesOf(noted.operation, spanOf(noted))
    const root: TraceNode = { key: '', errors: [], children }
    placeErrors(root, errors)
    const { startedAt } = noted
    return encodeTrace(
      { startedAt, endedAt: startedAt + duration, duration: nanoseconds(duration), root },
      this.#create,
    )
  }
}

/**
 * Loads the optional package `pbf`, which writes the protobuf messages of federated traces.
 * @throws SvcError SVC_PACKAGE_MISSING when the package is not installed
 */
export async function loadWriter(): Promise<CreateWriter> {
  const { PbfWriter } = await importPackages('federation', TRACE_PACKAGE, () => import('pbf'))
  return () => new PbfWriter()
}

/** Records the time of a step, even if it fails. */
function watch({ started }: Noted, window: Window, next: () => unknown): unknown {
  window.from = Math.min(window.from, performance.now() - started)
  const end = (): void => {
    window.to = Math.max(window.to, performance.now() - started)
  }
  let out: unknown
  try {
    out = next()
  } catch (error) {
    end()
    throw error
  }
  if (isPromise(out)) return out.then(end, end)
  end()
}

/** Returns the time of each root: the time of all statements, which answer the roots together, or that of the operation without statements. */
function spanOf({ ran, asked }: Noted): Span | undefined {
  const { from, to } = asked.to > 0 ? asked : ran
  return to > 0 ? { from: nanoseconds(from), to: nanoseconds(to) } : undefined
}

function nodesOf({ template: { kind, roots } }: Operation, span: Span | undefined): TraceNode[] {
  return roots.flatMap((root) => {
    // `__typename` and introspection are no fields of the schema.
    if (root.kind === 'typename' || (root.kind === 'literal' && root.call === undefined)) return []
    const name = root.kind === 'literal' ? root.call!.name : rootName(root)
    const key = root.responseKey
    const parentType = PARENTS[kind]
    return [
      { key, name: name === key ? undefined : name, type: typeOf(root), parentType, span, errors: [], children: [] },
    ]
  })
}

function typeOf(root: RootSelection): string | undefined {
  if (root.kind === 'operation') return typeRefs.print(root.operation.type)
  return root.kind === 'literal' ? OWN[root.call?.name ?? ''] : undefined
}

function nanoseconds(ms: number): number {
  return Math.round(ms * 1e6)
}

/** Creates a writer of Protocol Buffers. */
type CreateWriter = () => PbfWriter

/** Encodes a trace for `extensions.ftv1`: `Trace` of Apollo's `reports.proto`, in base64. */
function encodeTrace(trace: Trace, create: CreateWriter): string {
  const writer = create()
  writer.writeMessage(3, writeTimestamp, trace.endedAt)
  writer.writeMessage(4, writeTimestamp, trace.startedAt)
  writer.writeVarintField(11, trace.duration)
  writer.writeMessage(14, writeNode, trace.root)
  // Weight 1: all requests with the header are traced, not a sample.
  writer.writeDoubleField(31, 1)
  return Buffer.from(writer.finish()).toString('base64')
}

function writeTimestamp(ms: number, writer: PbfWriter): void {
  const seconds = Math.floor(ms / 1000)
  writer.writeVarintField(1, seconds)
  writer.writeVarintField(2, Math.round((ms - seconds * 1000) * 1e6))
}

function writeNode({ key, name, type, parentType, span, errors, children }: TraceNode, writer: PbfWriter): void {
  if (typeof key === 'number') writer.writeVarintField(2, key)
  else if (key !== '') writer.writeStringField(1, key)
  if (type !== undefined) writer.writeStringField(3, type)
  if (span !== undefined) {
    writer.writeVarintField(8, span.from)
    writer.writeVarintField(9, span.to)
  }
  for (const error of errors) writer.writeMessage(11, writeError, error)
  for (const child of children) writer.writeMessage(12, writeNode, child)
  if (parentType !== undefined) writer.writeStringField(13, parentType)
  if (name !== undefined) writer.writeStringField(14, name)
}

function writeError(error: RenderedError, writer: PbfWriter): void {
  writer.writeStringField(1, error.message)
  for (const location of error.locations ?? []) writer.writeMessage(2, writeLocation, location)
  writer.writeStringField(4, JSON.stringify(error))
}

function writeLocation({ line, column }: { readonly line: number; readonly column: number }, writer: PbfWriter): void {
  writer.writeVarintField(1, line)
  writer.writeVarintField(2, column)
}

/** Start and end in nanoseconds since the start of the trace. */
interface Span {
  readonly from: number
  readonly to: number
}

/** A node of the response: a response key, or an index in a list. */
interface TraceNode {
  readonly key: string | number
  /** Name of the field, if the response key is an alias. */
  readonly name?: string | undefined
  readonly type?: string | undefined
  readonly parentType?: string | undefined
  readonly span?: Span | undefined
  readonly errors: RenderedError[]
  readonly children: TraceNode[]
}

/** Content of `Trace` in Apollo's `reports.proto`. */
interface Trace {
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number
  /** Nanoseconds. */
  readonly duration: number
  readonly root: TraceNode
}

/** Adds errors to the nodes of their paths, and errors without path to the root. Nodes below root fields have no times. */
function placeErrors(root: TraceNode, errors: readonly RenderedError[]): void {
  for (const error of errors) {
    let node = root
    for (const key of error.path ?? []) {
      let child = node.children.find((one) => one.key === key)
      if (child === undefined) {
        child = { key, errors: [], children: [] }
        node.children.push(child)
      }
      node = child
    }
    node.errors.push(error)
  }
}
