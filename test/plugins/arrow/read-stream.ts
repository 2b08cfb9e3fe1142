import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { Compression, Table, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm/node'

/** A stream as somebody else reads it: Arrow's implementation in Rust, and what that writes as Parquet. */
export interface ReadStream {
  readonly batches: number
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Logical types by column, as Parquet names them. */
  readonly types: Readonly<Record<string, string>>
}

/** @throws what the reader says of bytes that are no stream */
export async function readStream(bytes: Uint8Array): Promise<ReadStream> {
  const table = Table.fromIPCStream(bytes)
  const batches = table.recordBatches().length
  const properties = new WriterPropertiesBuilder().setCompression(Compression.UNCOMPRESSED).build()
  const file = writeParquet(table, properties)
  const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer
  const { schema } = parquetMetadata(buffer)
  const columns = schema.filter(({ type }) => type !== undefined)
  const types = Object.fromEntries(
    columns.map(({ name, type, logical_type: logical, precision, scale }) => [
      name,
      logical === undefined
        ? String(type)
        : [logical.type, precision, scale].filter((one) => one !== undefined).join(' '),
    ]),
  )
  return { batches, types, rows: await parquetReadObjects({ file: buffer }) }
}
