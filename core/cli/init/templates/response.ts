/** SQL that creates the type `mutation_response`, which the functions of mutations in PostgreSQL templates return. */
export const RESPONSE_SQL = `-- A function returns a mutation_response, or raises: then nothing is written, the message goes to the client, and a HINT
-- in capitals is the code of the error.
CREATE TYPE mutation_response AS (
  status text, message text, entity_id text, entity_type text, entity jsonb, updated_fields text[], cascade jsonb,
  metadata jsonb
);
`
