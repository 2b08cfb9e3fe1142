import { Trace } from '@apollo/usage-reporting-protobuf'

/** A trace as Apollo's own package for routers reads it; names of fields as in its `reports.proto`. */
export function decodeTrace(ftv1: string) {
  const bytes = Buffer.from(ftv1, 'base64')
  if (bytes.toString('base64') !== ftv1) throw new Error('That is no base64')
  const read = Trace.toObject(Trace.decode(bytes), { longs: Number, arrays: true })
  return read as {
    readonly startTime: { readonly seconds: number; readonly nanos: number }
    readonly endTime: { readonly seconds: number; readonly nanos: number }
    readonly durationNs: number
    readonly fieldExecutionWeight: number
    readonly root: TracedNode
  }
}

export interface TracedNode {
  readonly responseName?: string
  readonly index?: number
  readonly originalFieldName?: string
  readonly type?: string
  readonly parentType?: string
  readonly startTime?: number
  readonly endTime?: number
  readonly error: readonly { readonly message: string; readonly json: string }[]
  readonly child: readonly TracedNode[]
}
