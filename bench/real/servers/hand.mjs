// The statements by hand behind a bare HTTP server: prepared, planned with their values, answers handed on as they are.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { kitModule } from './kit-module.mjs'

const { default: pg } = await kitModule('pg')
const statements = JSON.parse(readFileSync(process.env.STATEMENTS, 'utf8'))
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.PG_POOL),
  options: '-c plan_cache_mode=force_custom_plan',
})
const textOf = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

createServer(async (request, response) => {
  if (request.method === 'GET') return response.end('ok')
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { query, variables } = JSON.parse(Buffer.concat(chunks))
  const { name, text } = statements[query]
  try {
    const { rows } = await pool.query({ name, text, values: Object.values(variables).map(textOf), rowMode: 'array' })
    response.setHeader('content-type', 'application/json')
    response.end(rows[0][0])
  } catch (error) {
    response.statusCode = 500
    response.end(String(error))
  }
}).listen(Number(process.env.PORT), '127.0.0.1')
