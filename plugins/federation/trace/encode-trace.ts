import type { PbfWriter } from 'pbf'
import type { RenderedError } from '../../graphql/api.ts'
import type { Trace, TraceNode } from './trace-tree.ts'

/** Makes the writer of Protocol Buffers. */
export type CreateWriter = () => PbfWriter

/** A trace as `extensions.ftv1` has it: `Trace` of Apollo's `reports.proto`, in base64. */
export function encodeTrace(trace: Trace, create: CreateWriter): string {
  const writer = create()
  writer.writeMessage(3, writeTimestamp, trace.endedAt)
  writer.writeMessage(4, writeTimestamp, trace.startedAt)
  writer.writeVarintField(11, trace.duration)
  writer.writeMessage(14, writeNode, trace.root)
  // Every request with the header is counted as one.
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
