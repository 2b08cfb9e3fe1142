import pg from 'pg'
import { writeEvents } from './notes.ts'

/** Writes events beside the receiver that counts them, over one connection: a process for each batch would stop it meanwhile. */
export interface NoteWriter {
  write(events: number): Promise<void>
  close(): Promise<void>
}

export async function openNoteWriter(url: string): Promise<NoteWriter> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    write: async (events) => void (await client.query(writeEvents(events))),
    close: () => client.end(),
  }
}
