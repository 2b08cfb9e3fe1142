import type { Manifest } from '../../core/doors/plugin.ts'

const manifest: Manifest = {
  name: 'explain',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Tells operators what a request would do: its SQL, what it reads, what it costs, what is wrong with it.',
  dependencies: ['graphql', 'query-limits'],
  after: ['admin', 'rest'],
  provides: ['explain'],
  commands: [
    {
      name: 'explain',
      summary: 'Show what a request would do, without doing it.',
      description:
        'A GraphQL document, a file that holds one, or a REST request: "GET /rest/v1/posts?limit=5". The database is asked for its plan, and for no row.',
      arguments: [{ name: 'QUERY', required: true, description: 'Text or file.' }],
      json: true,
      options: [
        {
          name: 'variables',
          type: 'string',
          value: 'JSON',
          description: 'Values of the variables; of REST, the body.',
        },
        { name: 'operation', type: 'string', value: 'NAME', description: 'Which operation of the document.' },
        {
          name: 'as',
          type: 'string',
          value: 'JSON',
          description:
            'Who asks: {"sub": "…", "scopes": […], "roles": […], "claims": {…}}. Default: every scope, no role.',
        },
        { name: 'format', type: 'string', value: 'FORM', description: 'text, sql, plan or json. Default: text' },
      ],
      examples: [
        "svc explain '{ posts(limit: 5) { title } }'",
        "svc explain 'GET /rest/v1/posts?limit=5' --format sql",
      ],
      module: './explain-command',
    },
    {
      name: 'cost',
      summary: 'Measure a request: depth, complexity, aliases.',
      description: 'With --max-cost the exit code is 1 where the complexity is above it.',
      arguments: [{ name: 'QUERY', required: true, description: 'Text or file, as for svc explain.' }],
      json: true,
      options: [
        {
          name: 'variables',
          type: 'string',
          value: 'JSON',
          description: 'Values of the variables; of REST, the body.',
        },
        { name: 'operation', type: 'string', value: 'NAME', description: 'Which operation of the document.' },
        { name: 'max-cost', type: 'string', value: 'N', description: 'The most that it may be.' },
      ],
      examples: ["svc cost '{ posts { title } }' --max-cost 50"],
      module: './cost-command',
    },
  ],
}
export default manifest
