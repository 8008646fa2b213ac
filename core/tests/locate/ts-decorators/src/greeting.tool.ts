@Injectable()
export class GreetingTool {
  @Tool({
    name: '«hello-world»hello-world',
    description: 'Greets',
    parameters: z.object({ «hello-world.name»name: z.string().default('World') }),
  })
  async sayHello({ name }, context: Context) {
    return `Hello, ${name}!`;
  }
}
