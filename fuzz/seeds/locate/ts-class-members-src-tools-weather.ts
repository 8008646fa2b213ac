src/tools/weather.ts
export class WeatherTool extends BaseTool<Input> {
  readonly name: string = "get_weather";
  description = "Tells the weather";
  schema = {
    city: { type: z.string(), description: "The city" },
  };

  async execute({ city }: Input) {
    return city;
  }
}
