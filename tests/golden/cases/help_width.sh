for command in kernel plot gpus gpu ops op predict help; do
    ridge $command --help
done | awk 'length > 80'
