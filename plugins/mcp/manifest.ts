import type { Manifest } from '../../core/doors/plugin.ts'
import { options } from './options.ts'

const manifest: Manifest = {
  name: 'mcp',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Offers queries and mutations as tools to agents (Model Context Protocol), over HTTP and stdio.',
  after: ['rate-limiting', 'jwt', 'api-keys', 'cors', 'subscriptions'],
  provides: ['mcp'],
  config: 'svc.mcp',
  options,
  contract: './contract',
  metrics: {
    svc_mcp_tool_calls_total: { type: 'counter', help: 'Calls of tools by agents.', labels: ['tool'] },
    svc_mcp_tool_errors_total: { type: 'counter', help: 'Calls of tools that failed.', labels: ['tool'] },
  },
  commands: [
    {
      name: 'mcp',
      summary: 'Show what an agent would see: tools, their arguments and their size.',
      description:
        'The size is estimated, at four characters a token: models count differently. With --max-tokens the exit code is 1 where the tools are larger.',
      arguments: [{ name: 'ACTION', required: true, description: 'check' }],
      json: true,
      options: [
        {
          name: 'as',
          type: 'string',
          value: 'JSON',
          description:
            'Who asks: {"sub": "…", "scopes": […], "roles": […], "claims": {…}}. Default: every scope, no role.',
        },
        { name: 'max-tokens', type: 'string', value: 'N', description: 'Most tokens that the list of tools may have.' },
      ],
      examples: ['svc mcp check', `svc mcp check --as '{"sub":"ann","roles":["editor"]}' --json`],
      module: './command',
    },
  ],
}
export default manifest
