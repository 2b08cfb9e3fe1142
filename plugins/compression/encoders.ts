import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Encoding } from './options.ts'

/** About as quick as gzip, and smaller; the default of 11 takes a hundred times as long. */
const BROTLI: NonNullable<BrotliOptions['params']> = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  // 512 KiB to look back on, for as many streams as there are.
  [constants.BROTLI_PARAM_LGWIN]: 19,
}

interface Encoder {
  /** On a thread of its own. */
  whole(bytes: Uint8Array): Promise<Uint8Array>
  /** What is written comes out at once: a client waits for lines. */
  stream(): Transform
}

const gzipWhole = promisify(gzip)
const brotliWhole = promisify<Uint8Array, BrotliOptions, Buffer>(brotliCompress)

export const ENCODERS: Readonly<Record<Encoding, Encoder>> = {
  br: {
    whole: (bytes) =>
      brotliWhole(bytes, { params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength } }),
    stream: () => createBrotliCompress({ params: BROTLI, flush: constants.BROTLI_OPERATION_FLUSH }),
  },
  gzip: {
    whole: (bytes) => gzipWhole(bytes),
    stream: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
  },
}
