import type { JsonSchema } from '../../core/doors/plugin.ts'

/** Options of the section `[sse]`. */
export interface SseOptions {
  readonly heartbeat_secs: number
  readonly max_buffered_bytes: number
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    heartbeat_secs: {
      type: 'integer',
      minimum: 1,
      default: 30,
      description: 'A stream where nothing happens shows so often that it lives.',
    },
    max_buffered_bytes: {
      type: 'integer',
      minimum: 1024,
      default: 1_048_576,
      description: 'What may wait for a slow client of a stream.',
    },
  },
}
